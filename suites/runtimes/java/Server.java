import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** The server of the JDK itself, one thread: it has one core. */
public class Server {
  public static void main(String[] args) throws Exception {
    byte[] body = "Hi".getBytes(StandardCharsets.UTF_8);
    var address = new InetSocketAddress(System.getenv("HOST"), Integer.parseInt(System.getenv("PORT")));
    // As many connections may wait as the load tool opens at once.
    var server = HttpServer.create(address, 1024);
    server.createContext("/", exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "text/plain");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
  }
}

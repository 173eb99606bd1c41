// net/http with otelhttp, as in OpenTelemetry's documentation for Go.
package main

import (
	"context"
	"io"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	// How spans and metrics leave is in the variables of OpenTelemetry.
	spans, err := autoexport.NewSpanExporter(ctx)
	if err != nil {
		log.Fatal(err)
	}
	reader, err := autoexport.NewMetricReader(ctx)
	if err != nil {
		log.Fatal(err)
	}
	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))
	traces := trace.NewTracerProvider(trace.WithBatcher(spans))
	metrics := metric.NewMeterProvider(metric.WithReader(reader))
	otel.SetTracerProvider(traces)
	otel.SetMeterProvider(metrics)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "Hi")
	})
	handler := otelhttp.NewHandler(mux, "server")
	go func() { log.Fatal(http.ListenAndServe(os.Getenv("HOST")+":"+os.Getenv("PORT"), handler)) }()
	<-ctx.Done()
	traces.Shutdown(context.Background())
	metrics.Shutdown(context.Background())
}

/**
 * The names of the semantic conventions that are used. The compiler holds them against the package, which is not loaded: it
 * would enlarge the resident memory by 3.6 MB.
 */
export const semconv = {
  ATTR_ERROR_TYPE: 'error.type',
  ATTR_EXCEPTION_MESSAGE: 'exception.message',
  ATTR_EXCEPTION_STACKTRACE: 'exception.stacktrace',
  ATTR_EXCEPTION_TYPE: 'exception.type',
  ATTR_HTTP_REQUEST_METHOD: 'http.request.method',
  ATTR_HTTP_REQUEST_METHOD_ORIGINAL: 'http.request.method_original',
  ATTR_HTTP_RESPONSE_STATUS_CODE: 'http.response.status_code',
  ATTR_HTTP_ROUTE: 'http.route',
  ATTR_SERVER_ADDRESS: 'server.address',
  ATTR_SERVER_PORT: 'server.port',
  ATTR_SERVICE_NAME: 'service.name',
  ATTR_TELEMETRY_SDK_LANGUAGE: 'telemetry.sdk.language',
  ATTR_TELEMETRY_SDK_NAME: 'telemetry.sdk.name',
  ATTR_TELEMETRY_SDK_VERSION: 'telemetry.sdk.version',
  ATTR_URL_PATH: 'url.path',
  ATTR_URL_QUERY: 'url.query',
  ATTR_URL_SCHEME: 'url.scheme',
  METRIC_HTTP_SERVER_REQUEST_DURATION: 'http.server.request.duration',
} as const satisfies Partial<typeof import('@opentelemetry/semantic-conventions')>;

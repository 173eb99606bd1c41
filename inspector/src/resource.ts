import type { Resource } from '@opentelemetry/resources';

let resource: Resource | undefined;

/** The SDK's default resource, with `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. Loads the SDK when it is called. */
export function sharedResource(): Resource {
  if (resource !== undefined) return resource;
  const sdk: typeof import('@opentelemetry/resources') = require('@opentelemetry/resources');
  resource = sdk.defaultResource().merge(sdk.detectResources({ detectors: [sdk.envDetector] }));
  return resource;
}

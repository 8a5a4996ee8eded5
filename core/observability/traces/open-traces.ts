// Sets up OpenTelemetry's own packages with their own variables. This file is only imported if the environment names a
// collector, so that traces cost neither time nor memory while they are off. The packages read the collector's address,
// headers and certificates and the service's name and attributes themselves.
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { GatewaySettings } from '../../app/gateway-settings.ts'
import type { Logger } from '../../contract/services.ts'
import { atMostEvery } from '../../kernel/at-most-every.ts'
import { withTimeout } from '../../kernel/with-timeout.ts'
import type { CallTraces } from '../../relay/call/call-traces.ts'
import { CallSpans } from './call-spans.ts'

type TraceSettings = NonNullable<GatewaySettings['traces']>

/** How long a stop waits for the collector. */
const LAST_EXPORT_MS = 3_000
/** Interval of log lines about a collector that takes nothing. */
const QUIET_MS = 60_000
/** As many spans as a busy gateway makes in a second. If the collector is slow, further spans are dropped. */
const QUEUED_SPANS = 16_384
const SPANS_PER_EXPORT = 2_048
/** Clients choose the names of models, which may be long. */
const LONGEST_VALUE = 256

export interface TraceInput {
  settings: TraceSettings
  version: string
  log: Logger
}

export function openTraces({ settings, version, log }: TraceInput): CallTraces {
  const own = resourceFromAttributes({
    'service.name': 'tollgate',
    'service.version': version,
  })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggedExporter(new OTLPTraceExporter(), log),
        maxQueueSize: QUEUED_SPANS,
        maxExportBatchSize: SPANS_PER_EXPORT,
      }),
    ],
  })
  return new CallSpans(provider.getTracer('tollgate', version), () =>
    withTimeout(LAST_EXPORT_MS, 'the last traces', provider.shutdown()).catch((error: unknown) =>
      log.warn({ err: error }, 'the last traces did not reach their collector'),
    ),
  )
}

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const root = rootSampler(sampler.replace('parentbased_', ''), ratio)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio)
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler()
}

/** Wraps an exporter: failures are logged once a minute and not reported to the processor. */
function loggedExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  const isDue = atMostEvery(QUIET_MS)
  let lost = 0
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) {
          lost += spans.length
          if (isDue()) {
            // Only the message, because other fields of the error hold the collector's answer.
            log.warn(
              { spans: lost, reason: result.error.message },
              'traces do not reach their collector',
            )
            lost = 0
          }
        }
        // The spans are lost, and the processor must not log that again.
        done({ code: ExportResultCode.SUCCESS })
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

// OpenTelemetry's own packages, set up by its own variables. Imported only where the environment names a collector: what is off costs no
// start and no memory. Address, headers and certificates of the collector, the service's name and attributes are read by the packages.
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
import { withTimeout } from '../../kernel/with-timeout.ts'
import type { CallTraces } from '../../relay/call/call-traces.ts'
import { CallSpans } from './call-spans.ts'

type TraceSettings = NonNullable<GatewaySettings['traces']>

/** A stop waits no longer for a collector. */
const LAST_EXPORT_MS = 3_000
/** Of lines about a collector that takes nothing. */
const QUIET_MS = 60_000
/** A second of a busy gateway; what a slow collector leaves over is dropped. */
const QUEUED_SPANS = 16_384
const SPANS_PER_EXPORT = 2_048
/** Names of models come from clients. */
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
        exporter: tellingExporter(new OTLPTraceExporter(), log),
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

/** A collector that is away is told once a minute, and nobody waits for it. */
function tellingExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let quietUntilMs = 0
  let lost = 0
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) {
          lost += spans.length
          if (performance.now() >= quietUntilMs) {
            // The message alone: what else hangs on the error is the collector's answer.
            log.warn(
              { spans: lost, reason: result.error.message },
              'traces do not reach their collector',
            )
            quietUntilMs = performance.now() + QUIET_MS
            lost = 0
          }
        }
        // What could not be sent is gone; the processor has nothing to report once more.
        done({ code: ExportResultCode.SUCCESS })
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

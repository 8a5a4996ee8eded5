import type { StreamFraming } from '../contract/adapter.ts'
import { AwsEventStreamSplitter } from './aws-event-stream.ts'
import { NdjsonSplitter } from './ndjson.ts'
import { type EventSplitter, SseSplitter } from './sse.ts'

const splitters: Record<StreamFraming, () => EventSplitter> = {
  sse: () => new SseSplitter(),
  ndjson: () => new NdjsonSplitter(),
  'aws-event-stream': () => new AwsEventStreamSplitter(),
}

export function eventSplitter(framing: StreamFraming = 'sse'): EventSplitter {
  return splitters[framing]()
}

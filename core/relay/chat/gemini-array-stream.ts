import type { ClientError, SseEvent } from '../../contract/dialect.ts'
import type { Usage } from '../../contract/neutral.ts'
import { SseSplitter } from '../../wire/sse.ts'
import type { StreamPipeline, Translated } from './stream-pipeline.ts'

/** Turns the events of a stream into the elements of one JSON array; comments and end marks are left out. */
class JsonArray {
  #isOpen = false

  add(text: string): string {
    if (text === '') return ''
    const splitter = new SseSplitter()
    let elements = ''
    for (const { data } of [...splitter.push(Buffer.from(text)), ...splitter.end()]) {
      if (!data.startsWith('{')) continue
      elements += (this.#isOpen ? ',\n' : '[') + data
      this.#isOpen = true
    }
    return elements
  }

  close(): string {
    return this.#isOpen ? ']\n' : '[]\n'
  }
}

export function asArray(pipeline: StreamPipeline): StreamPipeline {
  return new ArrayPipeline(pipeline)
}

class ArrayPipeline implements StreamPipeline {
  readonly #array = new JsonArray()
  readonly #pipeline: StreamPipeline

  constructor(pipeline: StreamPipeline) {
    this.#pipeline = pipeline
  }

  get isComplete(): boolean {
    return this.#pipeline.isComplete
  }

  push(event: SseEvent): Translated {
    return this.#inArray(this.#pipeline.push(event))
  }

  end(counted: () => Usage | undefined): Translated {
    const last = this.#inArray(this.#pipeline.end(counted))
    return this.isComplete ? { ...last, text: last.text + this.#array.close() } : last
  }

  errorText(error: ClientError): string {
    return this.#array.add(this.#pipeline.errorText(error)) + this.#array.close()
  }

  #inArray({ text, events }: Translated): Translated {
    return { text: this.#array.add(text), events }
  }
}

/** Converts a whole stream at once. */
export function textAsArray(text: string): string {
  const array = new JsonArray()
  return array.add(text) + array.close()
}

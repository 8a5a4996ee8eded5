import { SseSplitter } from '../../wire/sse.ts'
import type { StreamPipeline, Translated } from './stream-pipeline.ts'

/** Events of a dialect become the elements of one JSON array; comments and marks are left out. */
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

export function asArray(translator: StreamPipeline): StreamPipeline {
  const array = new JsonArray()
  const inArray = ({ text, events }: Translated): Translated => ({ text: array.add(text), events })
  return {
    push: (event) => inArray(translator.push(event)),
    end(counted) {
      const last = inArray(translator.end(counted))
      return translator.isComplete ? { ...last, text: last.text + array.close() } : last
    },
    get isComplete() {
      return translator.isComplete
    },
    errorText: (error) => array.add(translator.errorText(error)) + array.close(),
  }
}

/** A whole stream at once. */
export function textAsArray(text: string): string {
  const array = new JsonArray()
  return array.add(text) + array.close()
}

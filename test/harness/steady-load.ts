import { setTimeout as wait } from 'node:timers/promises'
import { type ChatCall, type SeenAnswer, chat } from './relay-call.ts'

/** Calls without pause, streamed and plain in turn, until stopped. `target` is read before each call, so the gateway
 *  may move. */
export function startSteadyLoad(target: () => ChatCall, workers: number) {
  const answers: SeenAnswer[] = []
  const end = new AbortController()
  const worker = async (index: number) => {
    for (let turn = index; !end.signal.aborted; turn++) {
      const answer = await chat({ ...target(), stream: turn % 2 === 0 })
      answers.push(answer)
      // While a gateway starts, calls at once would fail and only load the machine.
      if (answer.status === 0) await wait(100)
    }
  }
  const all = Promise.all(Array.from({ length: workers }, (_, index) => worker(index)))
  return {
    /** How many answers have come. */
    get answered(): number {
      return answers.length
    },
    /** Lets the open calls end and returns all answers. */
    stop: async (): Promise<SeenAnswer[]> => {
      end.abort()
      await all
      return answers
    },
  }
}

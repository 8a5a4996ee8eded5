import { setTimeout as wait } from 'node:timers/promises'
import { type ChatCall, type SeenAnswer, chat } from './relay-call.ts'

/** Calls without pause, streamed and plain in turn, until stopped; `target` is asked before each call, so a gateway may move. */
export function startSteadyLoad(target: () => ChatCall, workers: number) {
  const answers: SeenAnswer[] = []
  const end = new AbortController()
  const worker = async (index: number) => {
    for (let turn = index; !end.signal.aborted; turn++) {
      const answer = await chat({ ...target(), stream: turn % 2 === 0 })
      answers.push(answer)
      // Nobody listens while a gateway starts; asking at once would only heat the machine.
      if (answer.status === 0) await wait(20)
    }
  }
  const all = Promise.all(Array.from({ length: workers }, (_, index) => worker(index)))
  return {
    /** Lets the open calls end and gives back all answers. */
    stop: async (): Promise<SeenAnswer[]> => {
      end.abort()
      await all
      return answers
    },
  }
}

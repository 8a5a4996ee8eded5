import { Registry, Gauge } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { Questions, readFromWorker, readToWorker } from './messages.ts'
import { restartPauseMs } from './supervisor.ts'
import { mergeTexts } from './worker-metrics.ts'
import { takeSeat } from './worker-seat.ts'

async function textOf(worker: number, more: string[] = []): Promise<string> {
  const registry = new Registry()
  registry.setDefaultLabels({ worker: `${worker}` })
  for (const name of ['open', ...more])
    new Gauge({ name, help: `What ${name} is.`, registers: [registry] }).set(worker)
  return registry.metrics()
}

describe('the texts of several workers', () => {
  it('are one, with all samples of a metric together under one head', async () => {
    expect(mergeTexts([await textOf(1), await textOf(2, ['closed'])])).toBe(
      [
        '# HELP open What open is.',
        '# TYPE open gauge',
        'open{worker="1"} 1',
        'open{worker="2"} 2',
        '',
        '# HELP closed What closed is.',
        '# TYPE closed gauge',
        'closed{worker="2"} 2',
        '',
      ].join('\n'),
    )
  })

  it('are nothing where nobody answers', () => {
    expect(mergeTexts([])).toBe('')
  })
})

describe('a worker that ends again and again', () => {
  it('is started after ever longer pauses, and goes on being started', () => {
    const pauses = [1, 2, 3, 4, 7, 8, 1_000].map(restartPauseMs)
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 30_000, 30_000, 30_000])
  })
})

describe('a question to another process', () => {
  it('is answered with undefined when nobody does', async () => {
    const questions = new Questions<string>()
    expect(await questions.ask(1, () => undefined)).toBeUndefined()
    expect(await questions.ask(1_000, (id) => questions.answer(id, 'yes'))).toBe('yes')
  })

  it('is not made of what a plugin sends over the channel', () => {
    for (const message of [undefined, 'serve', { kind: 'other' }, { kind: 'judge', id: 1 }]) {
      expect(readFromWorker(message)).toBeUndefined()
      expect(readToWorker(message)).toBeUndefined()
    }
    expect(readToWorker({ kind: 'serve' })).toEqual({ kind: 'serve' })
  })
})

describe('a seat among workers', () => {
  it('has no process that stands by itself, whatever its words', () => {
    expect(takeSeat(['node', 'main.ts', '--worker=2'])).toBeUndefined()
  })
})

// A client whose turns come to different nodes refers to what another one has answered (core/decisions/0034).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, addCustomer, setPrice } from '#test'
import { hasPostgres } from '../../harness/databases.ts'
import { type NodePair, startPair } from './node-pair.ts'

const model = 'converted'
const question = { role: 'user', content: 'Weather?' }

describe.runIf(hasPostgres)('a conversation by references on two nodes', () => {
  let nodes: NodePair
  let key: string

  beforeAll(async () => {
    nodes = await startPair()
    const { root } = nodes.here
    const [first] = await root.get<{ base_url: string }[]>('/api/channel/')
    // The upstream keeps no responses: calls are converted to its chat.
    const setting = '{"responses":false}'
    await addChannel(root, { base_url: first?.base_url ?? '', models: model, setting })
    await setPrice(root, model, 1)
    key = (await addCustomer(root, 'referrer', 1_000_000)).key
  })
  afterAll(() => nodes.close())

  const ask = (url: string, input: object[]) =>
    fetch(`${url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input }),
    })

  it('goes on at the other node, and back at the first', async () => {
    const input: object[] = [question]
    for (const { url } of [nodes.here, nodes.there, nodes.here, nodes.there]) {
      const answer = await ask(url, input)
      expect(answer.status).toBe(200)
      const { output } = (await answer.json()) as { output: { id: string }[] }
      expect(output.length).toBeGreaterThan(0)
      input.push(...output.map(({ id }) => ({ type: 'item_reference', id })), question)
    }
  })

  it('is refused where no node knows what it refers to', async () => {
    const unknown = 'msg_20200101000000123456789aBcDeFgH_0'
    const answer = await ask(nodes.there.url, [{ type: 'item_reference', id: unknown }, question])
    expect(answer.status).toBe(400)
    const { error } = (await answer.json()) as { error: { message: string } }
    expect(error.message).toContain('store')
  })
})

// What is told again of an answer is what its client saw, where a hook hides a name from the upstream and the channel has instructions.
import { fileURLToPath } from 'node:url'
import { OpenAI } from 'openai'
import { beforeAll, expect, it } from 'vitest'
import { addChannel, relayRoom, setPrice } from '#test'
import { echo } from '../../../test/harness/upstreams/echo-upstream.ts'

const NAME = 'Alice "A." Liddell'
const room = relayRoom({
  env: { PLUGIN_DIRS: fileURLToPath(new URL('../../../test/samples', import.meta.url)) },
  plugins: ['name-mask'],
  customer: 'masked',
})

beforeAll(async () => {
  const setting = JSON.stringify({ system_prompt: 'Never name us.' })
  const fields = { base_url: room.upstream.url, models: 'm-claude', type: 14, setting }
  await addChannel(room.app.root, fields)
  await setPrice(room.app.root, 'm-claude', 1)
})

it.each([false, true])(
  'tells a hidden name and hides the instructions, streamed: %s',
  async (stream) => {
    room.upstream.behave(echo({ isPlain: true }))
    const client = new OpenAI({ apiKey: room.customer.key, baseURL: `${room.app.url}/v1` })
    const asked = { model: 'm-claude', input: `I am ${NAME}` }
    const told = stream
      ? await client.responses.stream(asked).finalResponse()
      : await client.responses.create(asked)
    const sent = JSON.stringify(room.upstream.calls.at(-1)?.body)
    expect(sent).not.toContain('Liddell')
    expect(sent).toContain('Never name us.')
    expect(told.output_text).toContain(NAME)
    const again = await client.responses.retrieve(told.id)
    expect(again.output_text).toBe(told.output_text)
    expect(JSON.stringify(again)).not.toContain('Never name us.')
    const { data } = await client.responses.inputItems.list(told.id)
    expect(data).toMatchObject([{ content: [{ text: `I am ${NAME}` }] }])
  },
)

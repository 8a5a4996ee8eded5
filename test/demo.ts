// npm run demo: a gateway that works at once, with a provider of its own behind it. A month of business lies behind it. Nothing of it outlives the process.
import { startApp, rootAccount } from './harness/app.ts'
import { fillLifelike } from './harness/lifelike/index.ts'
import { addChannel, addCustomer, channelType, customerPassword, setPrice } from './harness/shop.ts'
import { fakeUpstream } from './harness/upstream.ts'

const port = process.env['PORT'] ?? '3000'

async function demo(): Promise<void> {
  const provider = await fakeUpstream({
    answer: reply,
    delayMs: 40,
    promptTokens: 24,
    completionTokens: 32,
  })
  const app = await startApp({ env: { PORT: port } })
  const models = { openai: 'demo-chat', anthropic: 'demo-messages' }
  for (const [dialect, model] of Object.entries(models)) {
    const type = channelType[dialect as keyof typeof channelType]
    await setPrice(app.root, model, 1)
    await addChannel(app.root, {
      name: `Demo (${dialect})`,
      type,
      base_url: provider.url,
      models: model,
    })
  }
  // Five dollars.
  const { key, username } = await addCustomer(app.root, 'demo', 2_500_000, { name: 'demo' })
  await fillLifelike(app, { channels: 14, users: 40, logs: 3_000, upstreamUrl: provider.url })
  console.log(welcome(app.url, key, username))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void Promise.all([app.close(), provider.close()]))
  }
}

function reply(prompt: string): string {
  return `This is the demo provider. You said: ${prompt.slice(0, 200)}`
}

function welcome(url: string, key: string, username: string): string {
  return `
Console   ${url}
Admin     ${rootAccount.username} / ${rootAccount.password}
Customer  ${username} / ${customerPassword}

Try it:
curl -N ${url}/v1/chat/completions -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"model":"demo-chat","stream":true,"messages":[{"role":"user","content":"Hello"}]}'

Models: demo-chat (OpenAI), demo-messages (Anthropic). Everything is gone when this process ends (Ctrl-C).
`
}

await demo()

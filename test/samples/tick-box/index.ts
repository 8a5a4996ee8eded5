// A bot check of a plugin from outside: test/journeys/console/plugin-bot-check.long.test.ts signs in through it.
import { defineOptions, definePlugin, errorType, Type } from 'tollgate'

const wrong = errorType('tick_box.wrong', 400, { en: 'Tick the box.', zh: '请勾选。' })

export default definePlugin({
  id: 'tick-box',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'A box for people to tick', zh: '人工勾选验证' },
  consoleModule: 'console/index.js',
  options: defineOptions({ TickBoxEnabled: Type.Boolean({ default: false }) }),
  server({ botChecks, options, statusFields }) {
    const isEnabled = () => options.get<boolean>('TickBoxEnabled')
    // What the console's part asks.
    statusFields.add({ id: 'tick_box', value: isEnabled })
    botChecks.add({
      id: 'tick-box',
      isEnabled,
      check: (token) => (token === 'ticked' ? Promise.resolve() : Promise.reject(wrong())),
    })
  },
})

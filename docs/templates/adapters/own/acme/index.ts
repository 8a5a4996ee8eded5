// Acme has a chat format of its own. Name the page that you read here, so that others can check a fact.
import { defineAdapter } from 'tollgate/contract'
import { classify } from './failures.ts'
import prices from './prices.json' with { type: 'json' }
import { readAnswer } from './read-answer.ts'
import { send } from './send.ts'
import { StreamReader } from './stream-reader.ts'

export default defineAdapter({
  id: 'acme',
  // Stored in every channel row: never renumbered, never reused. Numbers from 100 000 on are for adapters outside the repository.
  channelTypes: { 100000: 'Acme' },
  // Used when a channel leaves its own blank.
  baseUrl: 'https://api.acme.example',
  models: ['acme-large', 'acme-small'],
  prices,
  makes: ['acme-'],
  picker: { section: 'popular', aliases: ['Acme AI'] },
  summary: 'Chat models of Acme, in its own format.',
  operations: { chat: { send, readAnswer, streamReader: () => new StreamReader() } },
  classify,
})

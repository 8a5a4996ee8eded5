// Acme speaks the OpenAI dialect. Name the page that you read here, so that others can check a fact.
import { defineAdapter } from 'tollgate/contract'
import { openaiCompatible, openaiModelList, withoutDeveloperRole } from 'tollgate/adapter-kit'
import prices from './prices.json' with { type: 'json' }

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
  summary: 'Chat models of Acme.',
  // Where Acme differs, this takes paths, and edits of requests, answers and stream chunks. Few servers besides OpenAI's know the role `developer`.
  operations: openaiCompatible({ request: { chat: withoutDeveloperRole } }),
  fetchModels: openaiModelList(),
})

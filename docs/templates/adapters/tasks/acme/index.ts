// Acme draws pictures that take a while: a task is handed in, and asked for until it is done. Name the page that you read here.
import { defineAdapter } from 'tollgate/contract'
import { platform } from './platform.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'acme',
  // Stored in every channel row: never renumbered, never reused. Numbers from 100 000 on are for adapters outside the repository.
  channelTypes: { 100000: 'Acme' },
  baseUrl: 'https://api.acme.example',
  models: ['acme-draw'],
  prices,
  makes: ['acme-'],
  picker: { section: 'media', aliases: ['Acme Draw'] },
  summary: 'Drawings by Acme, in the background.',
  operations: {},
  tasks: platform,
  // A test of the channel would be a drawing for money.
  isTestable: false,
})

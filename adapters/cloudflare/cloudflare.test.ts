import { testAdapter } from '#test'
import cloudflare from './index.ts'

testAdapter(cloudflare, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import anthropic from './index.ts'

testAdapter(anthropic, new URL('./cases/', import.meta.url))

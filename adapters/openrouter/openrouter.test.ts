import { testAdapter } from '#test'
import openrouter from './index.ts'

testAdapter(openrouter, new URL('./cases/', import.meta.url))

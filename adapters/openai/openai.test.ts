import { testAdapter } from '#test'
import openai from './index.ts'

testAdapter(openai, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import ollama from './index.ts'

testAdapter(ollama, new URL('./cases/', import.meta.url))

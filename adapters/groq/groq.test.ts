import { testAdapter } from '#test'
import groq from './index.ts'

testAdapter(groq, new URL('./cases/', import.meta.url))

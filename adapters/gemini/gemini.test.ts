import { testAdapter } from '#test'
import gemini from './index.ts'

testAdapter(gemini, new URL('./cases/', import.meta.url))

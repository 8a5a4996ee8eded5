import { testAdapter } from '#test'
import cohere from './index.ts'

testAdapter(cohere, new URL('./cases/', import.meta.url))

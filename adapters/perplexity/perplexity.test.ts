import { testAdapter } from '#test'
import perplexity from './index.ts'

testAdapter(perplexity, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import huggingface from './index.ts'

testAdapter(huggingface, new URL('./cases/', import.meta.url))

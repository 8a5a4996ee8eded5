import { testAdapter } from '#test'
import vllm from './index.ts'

testAdapter(vllm, new URL('./cases/', import.meta.url))

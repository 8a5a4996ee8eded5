import { testAdapter } from '#test'
import aiproxy from './index.ts'

testAdapter(aiproxy, new URL('./cases/', import.meta.url))

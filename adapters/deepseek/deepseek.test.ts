import { testAdapter } from '#test'
import deepseek from './index.ts'

testAdapter(deepseek, new URL('./cases/', import.meta.url))

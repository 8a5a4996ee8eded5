import { testAdapter } from '#test'
import dify from './index.ts'

testAdapter(dify, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import deepinfra from './index.ts'

testAdapter(deepinfra, new URL('./cases/', import.meta.url))

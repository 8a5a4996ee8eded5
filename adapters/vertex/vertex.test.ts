import { testAdapter } from '#test'
import vertex from './index.ts'

testAdapter(vertex, new URL('./cases/', import.meta.url))

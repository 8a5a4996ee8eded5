import { testAdapter } from '#test'
import cerebras from './index.ts'

testAdapter(cerebras, new URL('./cases/', import.meta.url))

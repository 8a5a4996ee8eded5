import { testAdapter } from '#test'
import mistral from './index.ts'

testAdapter(mistral, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import voyage from './index.ts'

testAdapter(voyage, new URL('./cases/', import.meta.url))

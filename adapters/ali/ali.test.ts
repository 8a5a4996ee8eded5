import { testAdapter } from '#test'
import ali from './index.ts'

testAdapter(ali, new URL('./cases/', import.meta.url))

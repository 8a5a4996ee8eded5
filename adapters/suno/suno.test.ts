import { testAdapter } from '#test'
import suno from './index.ts'

testAdapter(suno, new URL('./cases/', import.meta.url))

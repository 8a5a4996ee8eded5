import { testAdapter } from '#test'
import mokaai from './index.ts'

testAdapter(mokaai, new URL('./cases/', import.meta.url))

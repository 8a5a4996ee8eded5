import { testAdapter } from '#test'
import lmStudio from './index.ts'

testAdapter(lmStudio, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import xai from './index.ts'

testAdapter(xai, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import midjourney from './index.ts'

testAdapter(midjourney, new URL('./cases/', import.meta.url))

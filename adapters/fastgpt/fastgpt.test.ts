import { testAdapter } from '#test'
import fastgpt from './index.ts'

testAdapter(fastgpt, new URL('./cases/', import.meta.url))

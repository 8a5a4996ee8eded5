import { testAdapter } from '#test'
import jina from './index.ts'

testAdapter(jina, new URL('./cases/', import.meta.url))

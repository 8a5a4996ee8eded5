import { testAdapter } from '#test'
import coze from './index.ts'

testAdapter(coze, new URL('./cases/', import.meta.url))

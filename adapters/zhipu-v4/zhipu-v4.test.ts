import { testAdapter } from '#test'
import zhipuV4 from './index.ts'

testAdapter(zhipuV4, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import baidu from './index.ts'

testAdapter(baidu, new URL('./cases/', import.meta.url))

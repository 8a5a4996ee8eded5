import { testAdapter } from '#test'
import baiduV2 from './index.ts'

testAdapter(baiduV2, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import awsBedrock from './index.ts'

testAdapter(awsBedrock, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import volcengine from './index.ts'

testAdapter(volcengine, new URL('./cases/', import.meta.url))

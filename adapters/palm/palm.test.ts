import { testAdapter } from '#test'
import palm from './index.ts'

testAdapter(palm, new URL('./cases/', import.meta.url))

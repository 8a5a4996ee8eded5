import { testAdapter } from '#test'
import novita from './index.ts'

testAdapter(novita, new URL('./cases/', import.meta.url))

import { testAdapter } from '#test'
import azure from './index.ts'

testAdapter(azure, new URL('./cases/', import.meta.url))

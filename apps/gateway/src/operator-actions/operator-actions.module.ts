import { Module } from '@nestjs/common';
import { OperatorActions } from './operator-actions.js';

/** The record of what operators do. */
@Module({ providers: [OperatorActions], exports: [OperatorActions] })
export class OperatorActionsModule {}

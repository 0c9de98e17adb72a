{{- define "nlq.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "nlq.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "nlq.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "nlq.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "nlq.selector" -}}
app.kubernetes.io/name: {{ include "nlq.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "nlq.labels" -}}
{{ include "nlq.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "nlq.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "nlq.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Whether there may be more than one pod for long. */}}
{{- define "nlq.several" -}}
{{- if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled -}}yes{{- end -}}
{{- end -}}

{{/* The names that requests may have: those of the Service and of the Ingress. */}}
{{- define "nlq.hosts" -}}
{{- $name := include "nlq.fullname" . -}}
{{- $space := printf "%s.%s" $name .Release.Namespace -}}
{{- $hosts := list $name $space (printf "%s.svc" $space) (printf "%s.svc.cluster.local" $space) -}}
{{- if .Values.ingress.enabled -}}
{{- $hosts = append $hosts .Values.ingress.host -}}
{{- end -}}
{{- toYaml $hosts -}}
{{- end -}}

{{/* The configuration file; a trace store of the Secret takes the place of one that is written there. */}}
{{- define "nlq.config" -}}
{{- $names := dict "server" (dict "hosts" (include "nlq.hosts" . | fromYamlArray)) -}}
{{- $config := mergeOverwrite $names (deepCopy .Values.config) -}}
{{- if .Values.traceStore.secret -}}
{{- $config = mergeOverwrite $config (dict "server" (dict "trace_store" "${NLQ_TRACE_STORE}")) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{/* What would lose traces or leave pods waiting for a volume is refused when the chart is rendered. */}}
{{- define "nlq.check" -}}
{{- if include "nlq.several" . -}}
{{- if not .Values.traceStore.secret -}}
{{- fail "several replicas need traceStore.secret: a trace, or feedback on it, is else known to one pod alone" -}}
{{- end -}}
{{- if and .Values.persistence.enabled (not .Values.persistence.existingClaim) (ne .Values.persistence.accessMode "ReadWriteMany") -}}
{{- fail "several replicas share persistence.accessMode ReadWriteMany, or have no volume claim: each pod then reads the stores itself" -}}
{{- end -}}
{{- end -}}
{{- end -}}
